from main import run_program

__version__: str

__all__ = ["__version__", "run_program"]
