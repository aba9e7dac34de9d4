// Functions of the C library beside system calls: shared libraries, texts for C, mathematics.

internal import Glibc

/// A shared library, loaded at run time (dlopen(3)). It is never closed.
public struct SharedLibrary: @unchecked Sendable {
  private let handle: UnsafeMutableRawPointer

  /// Loads a library, found as the linker does; `nil` if it cannot be loaded.
  public init?(_ fileName: String) {
    guard let handle = dlopen(fileName, RTLD_NOW | RTLD_LOCAL) else { return nil }
    self.handle = handle
  }

  /// Returns the address of a function; `nil` if the library lacks it.
  public func symbol(_ name: String) -> UnsafeMutableRawPointer? { dlsym(handle, name) }
}

extension System {
  /// Calls `body` with texts as C has them: an array of pointers that ends with a null pointer.
  public static func withCTexts<Value>(
    _ texts: [String], _ body: (UnsafePointer<UnsafePointer<CChar>?>?) -> Value
  ) -> Value {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return (copies.map { UnsafePointer($0) } + [nil]).withUnsafeBufferPointer { body($0.baseAddress) }
  }

  /// e to the power of `exponent`.
  public static func exp(_ exponent: Double) -> Double { Glibc.exp(exponent) }
}
