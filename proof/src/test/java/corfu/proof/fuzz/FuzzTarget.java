package corfu.proof.fuzz;

import java.util.List;

/**
 * A decoder, and what must hold for any bytes: that it throws nothing but what is documented, that
 * what it has decoded can be encoded, and is the same when it is decoded again. {@link Bounds} sees
 * to it that nothing allocates out of proportion.
 */
public interface FuzzTarget {

  /** As it is named in file names and on command lines. */
  String name();

  /** What somebody would really write: where the search begins. */
  List<byte[]> seeds();

  /** Throws anything at all if something does not hold. */
  void run(byte[] input);

  /** How many bytes may be allocated, whatever the input is. */
  default long allowedBytes() {
    return 1 << 20;
  }

  /** How many more for each of its bytes. */
  default long allowedBytesForEach() {
    return 512;
  }
}
