// The common version of the formats of jobs, details, heads and events.

/// The JSON that dray writes for programs: jobs, their details, heads of answers, and events.
///
/// `docs/manual/dray-formats.7.txt` describes each field, and `docs/wire/dray.schema.json` its values.
package enum Wire {
  /// The version of the formats. A new field keeps it; a change of a field's meaning or values raises it.
  package static let version = 1
}
