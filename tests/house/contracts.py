"""A kind of import contract that import-linter lacks: a room that may import only what is listed.

import-linter's own contracts name what is forbidden, and a list of what is forbidden forgets whatever is
built next. Used by `[tool.importlinter]` in pyproject.toml.
"""

from __future__ import annotations

import sys
from typing import Any

from importlinter import Contract, ContractCheck, fields, output


class OnlyContract(Contract):
    """`source` (a package and all in it) imports itself, `allowed` packages, and the standard library
    less `forbidden_standard`. Imports for types alone count too: they tie rooms together as well.
    """

    source = fields.ModuleField()
    allowed = fields.ListField(subfield=fields.StringField())
    forbidden_standard = fields.ListField(subfield=fields.StringField(), required=False, default=[])

    def check(self, graph: Any, verbose: bool) -> ContractCheck:
        source = self.source.name  # type: ignore[attr-defined]
        forbidden = set(self.forbidden_standard)  # type: ignore[call-overload]
        allowed = [source, *self.allowed]  # type: ignore[misc]
        wrong = []
        for importer in sorted({source} | graph.find_descendants(source)):
            for imported in sorted(graph.find_modules_directly_imported_by(importer)):
                root = imported.partition(".")[0]
                listed = any(imported == name or imported.startswith(f"{name}.") for name in allowed)
                standard = root in sys.stdlib_module_names and root not in forbidden
                if not listed and not standard:
                    wrong.append((importer, imported))
        return ContractCheck(kept=not wrong, metadata={"wrong": wrong})

    def render_broken_contract(self, check: ContractCheck) -> None:
        for importer, imported in check.metadata["wrong"]:
            output.print_error(f"{importer} may not import {imported}", bold=True)
