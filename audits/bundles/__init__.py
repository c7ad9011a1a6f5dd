"""The bundle for the regulator: what a span of gaming days left, and all that proves it, in one zip.

Made like any other export (`order`), by a worker, from one moment of the data; read by anybody with
`verify_bundle.py`, which is in it and knows nothing of this house. The format: docs/bundle.md.
"""
