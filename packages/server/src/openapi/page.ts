/** The page under `/docs`. Its addresses are relative, so that it works behind a proxy that puts a path in front. */
export const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Interface of this scanner</title>
    <link rel="icon" type="image/png" href="docs/favicon-32x32.png">
    <link rel="stylesheet" href="docs/swagger-ui.css">
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <div id="interface"></div>
    <noscript>This page needs JavaScript; the description itself is at <a href="openapi.json">openapi.json</a>.</noscript>
  </body>
</html>
`;

/** Starts Swagger UI on our description. No validator: that would ask a server of others. */
export const script = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#interface',
  deepLinking: true,
  docExpansion: 'none',
  defaultModelsExpandDepth: 0,
  filter: true,
  showExtensions: true,
  validatorUrl: null,
});
`;
