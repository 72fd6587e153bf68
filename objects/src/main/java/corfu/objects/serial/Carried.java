package corfu.objects.serial;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * A value that was read from bytes of which nobody knows where they are: of a transaction that is
 * not in the log yet, or of a message. So it has them itself.
 */
final class Carried<V> extends Located<V> implements Located.Source {

  private final ByteBuffer bytes;
  private final Serializer serializer;

  private Carried(Content content, ByteBuffer bytes, Serializer serializer) {
    super(content);
    this.bytes = bytes;
    this.serializer = serializer;
  }

  /** With a copy of the bytes. */
  static Carried<Object> of(Content content, ByteBuffer bytes, Serializer serializer) {
    byte[] copy = new byte[bytes.remaining()];
    bytes.get(bytes.position(), copy);
    return new Carried<>(content, ByteBuffer.wrap(copy).asReadOnlyBuffer(), serializer);
  }

  @Override
  protected Source source() {
    return this;
  }

  @Override
  public List<ByteBuffer> bytes(List<Located<?>> values) {
    return values.stream().map(value -> ((Carried<?>) value).bytes.duplicate()).toList();
  }

  @Override
  public Serializer serializer() {
    return serializer;
  }

  @Override
  protected void writePlace(Output out) {
    throw new IllegalStateException("it is nowhere but here, so that it is written itself");
  }
}
