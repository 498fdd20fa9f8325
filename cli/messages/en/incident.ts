export const incidentEn = {
  none: `No incident in {folder} has the request id "{requestId}". List them with \`deno task
    incident\`, or name the folder with --from.`,
  empty: `There is no incident in {folder}. The application keeps them where
    config.observability.incidents (FW_INCIDENTS) names a folder; --from reads another one.`,
} as const;
