package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalLong;

/** The index's reply to a command. It stays inside the client. */
sealed interface IndexReply {

  /** The command was applied; its version is its log address. */
  record Done(long version) implements IndexReply {}

  /** The command was refused, because a key, or the whole store, has this version. */
  record Refused(Optional<String> key, OptionalLong version) implements IndexReply {}

  /** The command was refused, because a compaction has moved the values that it refers to. */
  record Stale() implements IndexReply {
    static final Stale STALE = new Stale();
  }

  default byte[] encoded() {
    return switch (this) {
      case Done(long version) -> ByteBuffer.allocate(9).put((byte) 0).putLong(version).array();
      case Refused(var key, var version) -> {
        byte[] name = key.orElse("").getBytes(UTF_8); // a key has at least one byte
        yield ByteBuffer.allocate(9 + name.length)
            .put((byte) 1)
            .putLong(version.orElse(IndexCommand.NONE))
            .put(name)
            .array();
      }
      case Stale stale -> new byte[] {2};
    };
  }

  static IndexReply decode(byte[] answer) {
    ByteBuffer from = ByteBuffer.wrap(answer);
    return switch (from.get()) {
      case 0 -> new Done(from.getLong());
      case 1 -> {
        long version = from.getLong();
        String name = UTF_8.decode(from).toString();
        yield new Refused(
            name.isEmpty() ? Optional.empty() : Optional.of(name),
            version == IndexCommand.NONE ? OptionalLong.empty() : OptionalLong.of(version));
      }
      default -> Stale.STALE;
    };
  }
}
