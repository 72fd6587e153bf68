package corfu.proof.fuzz;

import java.util.List;

/**
 * A decoder, and the properties that must hold for any bytes. It throws only documented exceptions.
 * A decoded value can be encoded, and is the same when it is decoded again. {@link Bounds} checks
 * that allocations stay in proportion to the input.
 */
public interface FuzzTarget {

  /** Returns the name in file names and on command lines. */
  String name();

  /** Returns realistic inputs, with which the search begins. */
  List<byte[]> seeds();

  /** Runs the decoder. Throws anything at all if a property does not hold. */
  void run(byte[] input);

  /** Returns the number of bytes that any input may allocate. */
  default long allowedBytes() {
    return 1 << 20;
  }

  /** Returns the number of additional bytes for each byte of the input. */
  default long allowedBytesForEach() {
    return 512;
  }
}
