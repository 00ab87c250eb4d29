"""The games as environments for other people's learning code.

Importing it registers every game with Gymnasium, if that is installed.
"""

from importlib.util import find_spec

if find_spec("gymnasium") is not None:
    from ludotheque.learn.registration import register_all

    register_all()
