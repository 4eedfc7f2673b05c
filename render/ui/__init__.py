"""User interface: screens, menus, input and buttons."""
