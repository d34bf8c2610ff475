"""Languages: every text for people passes through `_` or `plural`; English is what stands in the code."""

from __future__ import annotations

from gettext import NullTranslations, translation
from pathlib import Path

LOCALE = Path(__file__).parent / "locale"
SOURCE_LANGUAGE = "en"

_current = NullTranslations()
_language = SOURCE_LANGUAGE


def languages() -> list[str]:
    """The languages there are, by their codes."""
    return sorted({SOURCE_LANGUAGE, *(path.parent.parent.name for path in LOCALE.glob("*/LC_MESSAGES/dicecli.mo"))})


def use(language: str) -> None:
    """Speak `language` (one of `languages()`) from now on."""
    global _current, _language
    _language = language
    _current = NullTranslations()
    if language != SOURCE_LANGUAGE:
        _current = translation("dicecli", LOCALE, [language])


def _(text: str) -> str:
    """`text` in the language in use."""
    return _current.gettext(text)


def N_(text: str) -> str:  # noqa: N802 - the usual mark for texts that are translated later
    """Mark a text for translation."""
    return text


def plural(one: str, many: str, count: int) -> str:
    """The form for `count` in the language in use; the text's `{count}` is left for `format`."""
    return _current.ngettext(one, many, count)


def label(labels: str | dict[str, str] | None, name: str) -> str:
    """A ruleset's own text in the language in use (else English, else its first), or `name` in words."""
    if isinstance(labels, dict):
        labels = labels.get(_language) or labels.get(SOURCE_LANGUAGE) or next(iter(labels.values()), None)
    return labels or name.replace("_", " ").capitalize()
