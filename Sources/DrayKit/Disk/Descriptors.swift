// The number of descriptors that this process may use.

internal import Posix

enum Descriptors {
  /// The number of descriptors that transfers may use, within the present limit. A program that owns its process raises
  /// the limit before this is read.
  static var budget: DescriptorBudget {
    DescriptorBudget(limit: System.descriptorLimit.flatMap { $0 < 1 << 20 ? Int($0) : nil })
  }
}
