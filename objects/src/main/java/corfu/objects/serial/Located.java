package corfu.objects.serial;

import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A value that has been written: its bytes are somewhere, and its {@link Content} is known. For
 * those who know a place where values can be. Immutable.
 *
 * @param <V> the value
 */
public abstract class Located<V> implements InLog<V> {

  /** Of all of them: one that is not written yet has no other. */
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
    List<ByteBuffer> bytes(List<Located<?>> values);

    /** What has written them. */
    Serializer serializer();
  }

  protected Located(Content content) {
    this.high = content.high();
    this.low = content.low();
    this.length = content.length();
  }

  /** Where it is. */
  protected abstract Source source();

  /** Says where it is, so that {@link Places#pointed} finds it while it is there. */
  protected abstract void writePlace(Output out);

  /** What it is. */
  public final Content content() {
    return new Content(high, low, length);
  }

  /** How many bytes it has. */
  public final int length() {
    return length;
  }

  @Override
  public final V get() {
    return valueOf(bytes());
  }

  final ByteBuffer bytes() {
    return source().bytes(List.of(this)).getFirst();
  }

  @SuppressWarnings("unchecked") // as it was written
  final V valueOf(ByteBuffer bytes) {
    @Nullable Object[] values = source().serializer().read(new Input(bytes));
    if (values.length != 1 || values[0] == null) {
      throw new SerializationException("damaged: what is in the log is not one value");
    }
    return (V) values[0];
  }

  final boolean isWrittenLike(Fresh<?> fresh) {
    return content().equals(Content.of(Writing.bytesOf(fresh, source().serializer())));
  }

  @Override
  public final boolean equals(@Nullable Object other) {
    return switch (other) {
      case Located<?> located ->
          high == located.high && low == located.low && length == located.length;
      case Fresh<?> fresh -> isWrittenLike(fresh);
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
