/** Every row of tests that otherwise run only some of them. */
import "../ai/mcp/process/conformance_test.ts";
import "../browser/events/alone/access_test.ts";
import "../browser/gallery/gallery_test.ts";
import "../browser/gallery/looks_test.ts";
import "../cli/dev/process/dev_test.ts";
import "../cli/export/process/export_test.ts";
import "../cli/mcp/process/mcp_test.ts";
import "../tmpl/browser/browser_test.ts";
