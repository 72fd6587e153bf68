package corfu.bytes;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.Objects;
import java.util.Optional;

/**
 * The content of an array before the first entry of its own stream: that of another array, at a
 * version. So an array can be a clone without any entry in the log. The application remembers which
 * array has which origin, and always opens it with the same one. Immutable.
 *
 * @param stream the stream of the other array
 * @param origin the origin of the other array, if it has one
 * @param version the version of the other array, at most the log's tail
 */
public record BytesOrigin(StreamId stream, Optional<BytesOrigin> origin, Address version) {

  /** Compares without recursion: chains of origins may be long. */
  @Override
  public boolean equals(Object other) {
    Optional<BytesOrigin> mine = Optional.of(this);
    Optional<BytesOrigin> its =
        other instanceof BytesOrigin same ? Optional.of(same) : Optional.empty();
    while (mine.isPresent() && its.isPresent()) {
      BytesOrigin one = mine.get();
      BytesOrigin two = its.get();
      if (one == two) {
        return true;
      }
      if (!one.stream.equals(two.stream) || !one.version.equals(two.version)) {
        return false;
      }
      mine = one.origin;
      its = two.origin;
    }
    return mine.isEmpty() && its.isEmpty();
  }

  @Override
  public int hashCode() {
    return Objects.hash(stream, version);
  }

  /** Returns stream and version, for people. */
  @Override
  public String toString() {
    return "version %s of the byte array of stream %s".formatted(version, stream);
  }
}
