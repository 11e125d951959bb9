// Starts Swagger UI on the API's own description. A file of its own, because the page allows no inline script.
"use strict";

window.addEventListener("load", () => {
  SwaggerUIBundle({
    url: "/openapi.json",
    dom_id: "#swagger",
    presets: [SwaggerUIBundle.presets.apis],
    validatorUrl: null,
    deepLinking: true,
    defaultModelsExpandDepth: 0,
    tryItOutEnabled: true,
  });
});
