package corfu.objects.serial;

import java.util.Optional;

/**
 * Where the bytes are that are read, so that values which are {@link InLog} need not be made of
 * them.
 */
@FunctionalInterface
public interface ValueLocator {

  /**
   * A value that is in what is read.
   *
   * @param offset of its bytes, counted from where the {@link ValueInput} began
   * @param content of its bytes
   * @return empty: it does not stay there
   */
  Optional<InLog<?>> at(int offset, ContentDigest content);

  /**
   * A value whose place was written in place of it.
   *
   * @param place as {@link LocatedValue#writePlace} wrote it
   * @throws SerializationException by default: places are not read here
   */
  default InLog<?> pointed(ContentDigest content, ValueInput place) {
    throw new SerializationException("damaged: it says where a value is, which nobody reads here");
  }
}
