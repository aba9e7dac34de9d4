// The version of the formats: one number for jobs, details, heads and events.

/// What dray writes for programs to read: the JSON of jobs, their details, heads of answers, and events.
///
/// `docs/manual/dray-formats.7.txt` says what each field means, and `docs/wire/dray.schema.json` which values it may have.
public enum Wire {
  /// The version of the formats. A new field leaves it as it is; a change of meaning, or of what a field may be, raises it.
  public static let version = 1
}
