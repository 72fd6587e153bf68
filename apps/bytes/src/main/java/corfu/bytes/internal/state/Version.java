package corfu.bytes.internal.state;

import corfu.bytes.BytesOrigin;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * A version of an array.
 *
 * @param stream the array's stream
 * @param origin the array's origin, if it has one
 * @param before the log address below which the version includes every entry of the stream
 */
public record Version(StreamId stream, Optional<BytesOrigin> origin, long before) {

  /** Returns the version that an origin names. */
  static Version of(BytesOrigin origin) {
    return new Version(origin.stream(), origin.origin(), origin.version().value());
  }

  /** Returns whether another version is of the same array. */
  boolean isOfSameArray(Version other) {
    return stream.equals(other.stream) && origin.equals(other.origin);
  }
}
