import os, sys

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../packages/engine/src/worker"))
from hookline_worker import serve

serve({"BeforeTool": lambda event: {"decision": "allow", "systemMessage": event["tool_name"]}})
