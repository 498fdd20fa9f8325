/** Every row of the tests of commands that try a part of them in each run. */
import "../cli/dev/process/dev_test.ts";
import "../cli/export/process/export_test.ts";
import "../cli/mcp/process/mcp_test.ts";
