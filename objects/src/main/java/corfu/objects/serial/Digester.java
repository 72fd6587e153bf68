package corfu.objects.serial;

/**
 * Digests the values of a state one after the other, as its serializer wrote them. For one thread.
 */
public interface Digester {

  /** Adds the bytes that one call of {@link Serializer#write} has written. */
  void add(ValueInput written);

  /** Returns the digest of all added bytes, in the order of the calls. */
  StateDigest digest();
}
