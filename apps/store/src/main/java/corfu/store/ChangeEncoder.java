package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.Address;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Encodes changes as a command. Small values are part of the command. Large values are appended
 * before it, all at the same time, and the command refers to them: k + 1 appends for k keys (CORFU,
 * section 4). Small values share an entry, which saves appends.
 */
final class ChangeEncoder {

  /** The largest size in bytes of values that share an entry; a larger value gets its own entry. */
  private static final int PART_BYTES = 256 << 10;

  private final LogStream values;
  private final StoreOptions options;

  ChangeEncoder(LogStream values, StoreOptions options) {
    this.values = values;
    this.options = options;
  }

  CompletableFuture<IndexCommand> command(Changes changes) {
    long bytes = check(changes);
    List<IndexCommand.Expectation> expected = new ArrayList<>();
    changes
        .expected()
        .forEach((key, version) -> expected.add(new IndexCommand.Expectation(key, version)));
    CompletableFuture<List<IndexCommand.Change>> written =
        bytes <= options.inlineBytes()
            ? CompletableFuture.completedFuture(inline(changes))
            : elsewhere(changes);
    return written.thenApply(list -> new IndexCommand.Write(OptionalLong.empty(), expected, list));
  }

  private long check(Changes changes) {
    if (changes.writes().size() + changes.expected().size() > options.maxKeys()) {
      throw new StoreLimitException(
          "the call changes %d keys and expects versions of %d, but one call may name %d: split it"
              .formatted(changes.writes().size(), changes.expected().size(), options.maxKeys()));
    }
    changes.expected().keySet().forEach(this::checkKey);
    long bytes = 0;
    for (Map.Entry<String, Optional<ByteBuffer>> write : changes.writes().entrySet()) {
      checkKey(write.getKey());
      int size = write.getValue().map(ByteBuffer::remaining).orElse(0);
      if (size > options.maxValueBytes()) {
        throw new StoreLimitException(
            "the value of key \"%s\" has %d bytes, but a value may have %d"
                .formatted(write.getKey(), size, options.maxValueBytes()));
      }
      bytes += size;
    }
    if (bytes > options.maxBytes()) {
      throw new StoreLimitException(
          "the values have %d bytes, but one call may change %d: split it"
              .formatted(bytes, options.maxBytes()));
    }
    return bytes;
  }

  private void checkKey(String key) {
    int bytes = key.getBytes(UTF_8).length;
    if (bytes < 1 || bytes > options.maxKeyBytes()) {
      throw new StoreLimitException(
          "a key has from 1 to %d bytes in UTF-8, but this one has %d: \"%s\""
              .formatted(options.maxKeyBytes(), bytes, beginning(key)));
    }
    if (!UTF_8.newEncoder().canEncode(key)) {
      throw new StoreLimitException(
          "a key is Unicode text, but this one has half a character: \"%s\""
              .formatted(beginning(key)));
    }
  }

  private static String beginning(String key) {
    return key.substring(0, Math.min(40, key.length()));
  }

  private static List<IndexCommand.Change> inline(Changes changes) {
    List<IndexCommand.Change> list = new ArrayList<>();
    changes
        .writes()
        .forEach(
            (key, value) ->
                list.add(
                    value.isPresent()
                        ? new IndexCommand.Inline(key, 0, value.get())
                        : new IndexCommand.Remove(key)));
    return list;
  }

  /** An entry that several values share. */
  private static final class Part {
    private final List<Map.Entry<String, ByteBuffer>> values = new ArrayList<>();
    private int bytes;

    private void add(String key, ByteBuffer value) {
      values.add(Map.entry(key, value));
      bytes += value.remaining();
    }

    private ByteBuffer payload() {
      ByteBuffer payload = ByteBuffer.allocate(bytes);
      values.forEach(one -> payload.put(one.getValue().duplicate()));
      return payload.flip();
    }

    private List<IndexCommand.Change> at(Address address) {
      List<IndexCommand.Change> changes = new ArrayList<>();
      int offset = 0;
      for (Map.Entry<String, ByteBuffer> one : values) {
        int length = one.getValue().remaining();
        changes.add(new IndexCommand.Elsewhere(one.getKey(), address, offset, length));
        offset += length;
      }
      return changes;
    }
  }

  private CompletableFuture<List<IndexCommand.Change>> elsewhere(Changes changes) {
    List<IndexCommand.Change> list = new ArrayList<>();
    List<Part> parts = new ArrayList<>();
    int most = options.inlineBytes() == 0 ? 1 : PART_BYTES;
    for (Map.Entry<String, Optional<ByteBuffer>> write : changes.writes().entrySet()) {
      if (write.getValue().isEmpty()) {
        list.add(new IndexCommand.Remove(write.getKey()));
        continue;
      }
      ByteBuffer value = write.getValue().get();
      if (parts.isEmpty() || parts.getLast().bytes + value.remaining() > most) {
        parts.add(new Part());
      }
      parts.getLast().add(write.getKey(), value);
    }
    List<CompletableFuture<StreamAppend.Appended>> appends =
        parts.stream().map(part -> values.appendAsync(part.payload())).toList();
    return CompletableFuture.allOf(appends.toArray(CompletableFuture[]::new))
        .thenApply(
            done -> {
              for (int i = 0; i < parts.size(); i++) {
                list.addAll(parts.get(i).at(appends.get(i).join().address()));
              }
              return list;
            });
  }
}
