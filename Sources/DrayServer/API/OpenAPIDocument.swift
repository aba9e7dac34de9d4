// Generates the OpenAPI document (3.1) from the table of routes.

internal import DrayCore

enum OpenAPIDocument {
  /// The version of the API that its paths contain.
  private static let version = "1"

  static var text: JSONText {
    var json = JSONText()
    object(&json) { json in
      json.field("openapi", "3.1.0")
      object(&json, "info") { json in
        json.field("title", "dray serve")
        json.field("version", version)
        json.field(
          "description",
          "Adds, watches and controls downloads. Jobs are objects of dray list --json; dray-formats(7) says what their fields mean."
        )
      }
      array(&json, "servers") { json in object(&json) { $0.field("url", APIRoutes.root) } }
      object(&json, "paths") { json in
        var done: Set<String> = []
        for route in APIRoutes.all where done.insert(route.path).inserted {
          let here = APIRoutes.all.filter { $0.path == route.path }
          object(&json, route.path) { json in here.forEach { write($0, to: &json) } }
        }
      }
      object(&json, "components") { json in
        object(&json, "schemas") { json in
          for (name, schema) in APIShapes.all {
            json.key(name)
            schema.write(to: &json)
          }
        }
        object(&json, "securitySchemes") { json in
          object(&json, "secret") { json in
            json.field("type", "http")
            json.field("scheme", "bearer")
          }
          object(&json, "session") { json in
            json.field("type", "apiKey")
            json.field("in", "cookie")
            json.field("name", "dray")
          }
          object(&json, "key") { json in
            json.field("type", "apiKey")
            json.field("in", "header")
            json.field("name", "Dray-Key")
          }
        }
      }
      // A service without a secret requires no security scheme.
      array(&json, "security") { json in
        object(&json) { _ in }
        for names in [["secret"], ["session", "key"]] {
          object(&json) { json in
            for name in names { array(&json, name) { _ in } }
          }
        }
      }
    }
    return json
  }

  private static func write(_ route: APIRoute, to json: inout JSONText) {
    object(&json, route.method.lowercased()) { json in
      json.field("summary", route.summary)
      json.field("operationId", route.operation)
      array(&json, "parameters") { json in
        for word in route.words where word.hasPrefix("{") {
          let name = String(word.dropFirst().dropLast())
          let field =
            name == "name"
            ? APIField(name, .text(most: QueueName.longest), "The name of a queue.", isNeeded: true)
            : APIField(name, .id, "The number of a job.", isNeeded: true)
          write(field, in: "path", to: &json)
        }
        for field in route.query { write(field, in: "query", to: &json) }
        for field in route.heads { write(field, in: "header", to: &json) }
      }
      if let body = route.body {
        object(&json, "requestBody") { json in
          json.field("required", true)
          content(body, "application/json", to: &json)
        }
      }
      object(&json, "responses") { json in
        for answer in route.answers {
          object(&json, "\(answer.status)") { json in
            json.field("description", answer.meaning)
            if let schema = answer.schema { content(schema, answer.mediaType, to: &json) }
          }
        }
        for status in Set(route.errors + route.usualErrors).sorted() {
          object(&json, "\(status)") { json in
            json.field("description", "An error.")
            content(.named("Error"), "application/json", to: &json)
          }
        }
      }
    }
  }

  private static func write(_ field: APIField, in place: String, to json: inout JSONText) {
    object(&json) { json in
      json.field("name", field.name)
      json.field("in", place)
      json.field("required", field.isNeeded && place == "path")
      json.field("description", field.meaning)
      json.key("schema")
      field.schema.write(to: &json)
    }
  }

  private static func content(_ schema: APISchema, _ type: String, to json: inout JSONText) {
    object(&json, "content") { json in
      object(&json, type) { json in
        json.key("schema")
        schema.write(to: &json)
      }
    }
  }

  private static func object(_ json: inout JSONText, _ name: String? = nil, _ body: (inout JSONText) -> Void) {
    if let name { json.key(name) }
    json.beginObject()
    body(&json)
    json.endObject()
  }

  private static func array(_ json: inout JSONText, _ name: String, _ body: (inout JSONText) -> Void) {
    json.key(name)
    json.beginArray()
    body(&json)
    json.endArray()
  }
}

extension APIRoute {
  /// The name that programs use for the route, such as `getJobsParts`.
  fileprivate var operation: String {
    let words = words.map { word in word.filter { $0.isLetter || $0.isNumber } }
    return method.lowercased() + words.map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
  }

  /// The statuses of the errors that every route can answer with. The errors of the HTTP layer, such as the one for a
  /// body that is too large, consist of a line of text instead.
  fileprivate var usualErrors: [Int] { [400, 401, 403, 503] + (writes ? [415] : []) }
}
