// Adds the settings in the service user's configuration to clients' jobs.

public import DrayCore

/// Adds settings to a permitted job.
public struct JobPreparation: Sendable {
  /// Adds the settings for all jobs.
  public var usual: @Sendable (inout JobSpecification) -> Void
  /// Adds the settings for the job's host, which take precedence.
  public var host: @Sendable (inout JobSpecification) -> Void

  /// Creates a preparation.
  public init(
    usual: @escaping @Sendable (inout JobSpecification) -> Void,
    host: @escaping @Sendable (inout JobSpecification) -> Void
  ) {
    (self.usual, self.host) = (usual, host)
  }

  /// The preparation without a configuration.
  public static let none = JobPreparation(usual: { _ in }, host: { _ in })
}
