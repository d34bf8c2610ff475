"""`python -m dicecli`, and the `dicecli` command."""

import sys


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        from dicecli.ui.cli.app import run

        code = run(sys.argv[1:])
    except KeyboardInterrupt:
        code = 130
    sys.exit(code)


if __name__ == "__main__":
    main()
