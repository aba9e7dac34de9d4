// The number of descriptors that this process may use.

internal import Posix

enum Descriptors {
  /// What transfers may use of the present limit. A program that owns its process raises the limit before.
  static var budget: DescriptorBudget {
    DescriptorBudget(limit: System.descriptorLimit.flatMap { $0 < 1 << 20 ? Int($0) : nil })
  }
}
