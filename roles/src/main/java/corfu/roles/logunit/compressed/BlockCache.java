package corfu.roles.logunit.compressed;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Decompresses blocks, and keeps those that were used last: neighbours are often read one after the
 * other. Several open files share one cache. It holds memory outside the heap only while a file is
 * open. For one thread at a time.
 */
public final class BlockCache {

  private final int most;
  private final LinkedHashMap<Block, byte[]> blocks = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable Inflater inflater;
  private int openFiles;

  private record Block(CompressedFile file, int number) {}

  /**
   * @param most the number of decompressed blocks, of 32 KiB each, that the cache keeps
   */
  public BlockCache(int most) {
    this.most = most;
  }

  /** Records that a file was opened, which will be {@linkplain #closed closed}. */
  void opened() {
    openFiles++;
  }

  /** Forgets the blocks of a file. */
  void closed(CompressedFile file) {
    blocks.keySet().removeIf(block -> block.file == file);
    openFiles--;
    if (openFiles == 0 && inflater != null) {
      inflater.end();
      inflater = null;
    }
  }

  Optional<byte[]> find(CompressedFile file, int number) {
    return Optional.ofNullable(blocks.get(new Block(file, number)));
  }

  /**
   * Decompresses a block and keeps it. Returns empty if the bytes decompress to another number of
   * bytes than {@code plainBytes}, or not at all.
   */
  Optional<byte[]> decompress(CompressedFile file, int number, ByteBuffer stored, int plainBytes) {
    byte[] memory =
        blocks.size() >= most
            ? blocks.pollFirstEntry().getValue()
            : new byte[CompressedFormat.BLOCK_BYTES];
    if (inflater == null) {
      inflater = new Inflater(true);
    }
    if (!inflates(inflater, stored, memory, plainBytes)) {
      return Optional.empty();
    }
    blocks.put(new Block(file, number), memory);
    return Optional.of(memory);
  }

  /** Decompresses bytes into memory. Returns whether they are exactly {@code plainBytes} bytes. */
  static boolean inflates(Inflater inflater, ByteBuffer stored, byte[] into, int plainBytes) {
    inflater.reset();
    inflater.setInput(stored);
    try {
      int done = 0;
      while (done < plainBytes) {
        int more = inflater.inflate(into, done, plainBytes - done);
        if (more == 0) {
          return false;
        }
        done += more;
      }
      return true;
    } catch (DataFormatException damaged) {
      return false;
    }
  }
}
