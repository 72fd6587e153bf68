package corfu.objects.serial;

/**
 * Takes the values of a state one after the other, as its serializer wrote them. For one thread.
 */
public interface Digester {

  /** What one call of {@link Serializer#write} has written. */
  void add(ValueInput written);

  /** Of all that was added, in its order. */
  StateDigest digest();
}
