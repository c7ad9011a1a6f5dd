"""A text in both languages of the house, so that pure rules can speak without Django.

Refusals, prompts and announcements are born in code that knows no request and no locale; they
carry Spanish and English together and whoever shows them picks one.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Text:
    """The same sentence in Spanish (es-BO, the first language) and English."""

    es: str
    en: str

    def say(self, language: str | None) -> str:
        """The sentence for a language code such as `es-bo` or `en`; Spanish when in doubt."""
        return self.en if (language or "").lower().startswith("en") else self.es

    def fill(self, **values: object) -> Text:
        """The same text with its `{name}` places filled in both languages.

        A value that is itself a `Text` is said in the language of the sentence around it.
        """
        spanish = {k: v.es if isinstance(v, Text) else v for k, v in values.items()}
        english = {k: v.en if isinstance(v, Text) else v for k, v in values.items()}
        return Text(self.es.format(**spanish), self.en.format(**english))

    def as_dict(self) -> dict[str, str]:
        return {"es": self.es, "en": self.en}

    def __str__(self) -> str:
        return self.es


def same(text: str) -> Text:
    """A text that reads alike in both languages: a name, a number, a code."""
    return Text(text, text)
