"""Events no table would send: random JSON, and good events with something wrong in them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([10**4000, -(10**4000), 2**63, "ñ\u202e\x00", "١٢", "𝟙", "10d", "As", "??", "v5"])
    | st.floats()
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=5,
)


def mangled(good: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Anything at all, or an event of the keys of `good` (key -> strategy) with up to two spoiled."""
    keys = {key: value for key, value in good.items() if key != "e"}
    return st.one_of(
        JSON,
        st.binary(),
        st.sets(st.integers()),
        st.dictionaries(
            st.one_of(st.text(max_size=4), st.integers(), st.none(), st.floats()), JSON, max_size=3
        ),
        st.builds(
            lambda event, bad: {**event, **bad},
            st.fixed_dictionaries({"e": good["e"]}, optional=keys),
            st.dictionaries(st.sampled_from([*sorted(good), "other"]), JSON, max_size=2),
        ),
    )
