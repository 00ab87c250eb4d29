"""The API described as OpenAPI, from the types that its endpoints state."""

from __future__ import annotations

import json
from importlib.metadata import version
from typing import Any

import msgspec

from ludotheque.server import messages
from ludotheque.server.api.endpoint import Endpoint
from ludotheque.server.identity import COOKIE


def described(endpoints: list[Endpoint]) -> bytes:
    """The endpoints as OpenAPI describes them."""
    types = [t for e in endpoints for t in (e.takes, e.gives) if t is not None]
    schemas, components = msgspec.json.schema_components(
        [*types, messages.Problem], ref_template="#/components/schemas/{name}"
    )
    by_type = dict(zip(map(str, [*types, messages.Problem]), schemas, strict=True))
    paths: dict[str, Any] = {}
    for e in endpoints:
        paths.setdefault(e.path, {})[e.method.lower()] = _operation(e, by_type)
    document = {
        "openapi": "3.1.0",
        "info": {"title": "Ludothèque", "version": version("ludotheque")},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "token": {"type": "http", "scheme": "bearer"},
            },
        },
    }
    return json.dumps(document).encode()


def _operation(e: Endpoint, schemas: dict[str, Any]) -> dict[str, Any]:
    problem = {
        "description": "What was wrong, where, and what was expected.",
        "content": {"application/json": {"schema": schemas[str(messages.Problem)]}},
    }
    kind = "image/svg+xml" if e.path.endswith(".svg") else "application/json"
    shape = {"schema": schemas[str(e.gives)]} if e.gives is not None else {}
    operation: dict[str, Any] = {
        "operationId": e.handler.__name__,
        "summary": e.does,
        "security": [{"cookie": []}, {"token": []}, {}],
        "responses": {"2XX": {"description": "Done.", "content": {kind: shape}}, "4XX": problem},
    }
    names = [part[1:-1] for part in e.path.split("/") if part.startswith("{")]
    if names:
        operation["parameters"] = [
            {"name": n, "in": "path", "required": True, "schema": {"type": "string"}} for n in names
        ]
    if e.takes is not None:
        body = {"application/json": {"schema": schemas[str(e.takes)]}}
        operation["requestBody"] = {"required": True, "content": body}
    return operation
