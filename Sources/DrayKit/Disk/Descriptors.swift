// The number of descriptors that this process may use.

internal import Posix

enum Descriptors {
  /// For transfers, under the current limit. A program that owns the process raises the limit first.
  static var budget: DescriptorBudget {
    DescriptorBudget(limit: System.descriptorLimit.flatMap { $0 < 1 << 20 ? Int($0) : nil })
  }
}
