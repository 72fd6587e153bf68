package corfu.objects.serial;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A written value: its bytes are somewhere, and its {@link ContentDigest} is known. A subclass
 * knows a kind of place where values can be. Immutable.
 *
 * @param <V> the value
 */
public abstract class LocatedValue<V> implements InLog<V> {

  /** The hash code of all values in the log; a value that is not written yet has the same. */
  static final int HASH_CODE = 25;

  private final long high;
  private final long low;
  private final int length;

  /** Where values are. Thread-safe. */
  public interface Source {

    /**
     * The bytes of values that are here, in their order.
     *
     * @throws RuntimeException if they can't be read, or are not there any more
     */
    List<ByteBuffer> bytes(List<LocatedValue<?>> values);

    /** Returns the serializer that wrote the values. */
    Serializer serializer();
  }

  protected LocatedValue(ContentDigest content) {
    this.high = content.high();
    this.low = content.low();
    this.length = content.length();
  }

  /** Where it is. */
  protected abstract Source source();

  /** Says where it is, so that {@link ValueLocator#pointed} finds it while it is there. */
  protected abstract void writePlace(ValueOutput out);

  /** Returns the digest and the length of the value's bytes. */
  public final ContentDigest content() {
    return new ContentDigest(high, low, length);
  }

  /** How many bytes it has. */
  public final int length() {
    return length;
  }

  @Override
  public final V get() {
    return valueOf(bytes());
  }

  public final ByteBuffer bytes() {
    return source().bytes(List.of(this)).getFirst();
  }

  @SuppressWarnings("unchecked") // as it was written
  final V valueOf(ByteBuffer bytes) {
    @Nullable Object[] values = source().serializer().read(new ValueInput(bytes));
    if (values.length != 1 || values[0] == null) {
      throw new SerializationException("damaged: what is in the log is not one value");
    }
    return (V) values[0];
  }

  /** Returns the bytes of a value that is to stay in the log, as this serializer writes it. */
  public static ByteBuffer bytesOf(InLog<?> fresh, Serializer serializer) {
    ValueOutput out = new ValueOutput();
    serializer.write(new @Nullable Object[] {fresh.get()}, out);
    return out.toBuffer();
  }

  final boolean isWrittenLike(UnwrittenValue<?> fresh) {
    return content().equals(ContentDigest.of(bytesOf(fresh, source().serializer())));
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return switch (other) {
      case LocatedValue<?> located ->
          high == located.high && low == located.low && length == located.length;
      case UnwrittenValue<?> fresh -> isWrittenLike(fresh);
      case null, default -> false;
    };
  }

  @Override
  public final int hashCode() {
    return HASH_CODE;
  }

  @Override
  public final String toString() {
    return "in the log, " + length + " bytes";
  }
}
