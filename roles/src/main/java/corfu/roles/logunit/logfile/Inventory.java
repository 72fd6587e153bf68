package corfu.roles.logunit.logfile;

import corfu.roles.TwinFile;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.Disk;
import corfu.world.DiskFullException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log files that must exist, with their minimal sizes, so that a start notices a missing or
 * truncated file: the content of the {@link TwinFile} {@code inventory}. Little-endian.
 *
 * <pre>
 *   0                8                16
 *   +----------------+----------------+-- - -
 *   | sequence       | bytes          | the next file
 *   +----------------+----------------+-- - -
 * </pre>
 *
 * The inventory is written when a file gets its name, before any record in it is acknowledged, and
 * before a file is deleted. Files outside the inventory may exist; files in it must exist. {@code
 * bytes} is 0 for the file that is being written. If the inventory is lost, no file is expected.
 * For one thread at a time.
 */
public final class Inventory {

  private static final Logger LOG = LoggerFactory.getLogger(Inventory.class);

  public static final String NAME = "inventory";

  private static final long MAGIC = 0x564e4955_46524f43L; // "CORFUINV"
  private static final int VERSION = 1;
  private static final int ITEM_BYTES = 16;
  private static final int SHRINKS_TRIED = 4;
  private static final int MAX_BYTES = 2 * Location.SLOTS * ITEM_BYTES;

  private final Disk disk;
  private final TwinFile file;

  /**
   * A file that must exist.
   *
   * @param sequence the file's sequence number
   * @param bytes the offset up to which there are records at least; 0 if it is unknown
   */
  public record Item(long sequence, long bytes) {}

  Inventory(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, MAX_BYTES);
  }

  /** Returns the files that must exist, or none if they are unknown. */
  List<Item> read() {
    try {
      return file.read().map(Inventory::itemsOf).orElse(List.of());
    } catch (TwinFile.DamagedException damage) {
      LOG.warn(
          "the file '{}' of {} is damaged, and is written again with the next segment file: {}",
          NAME,
          disk.description(),
          damage.getMessage());
      file.discard();
      return List.of();
    }
  }

  private static List<Item> itemsOf(ByteBuffer bytes) {
    List<Item> items = new ArrayList<>();
    for (int at = 0; at + ITEM_BYTES <= bytes.limit(); at += ITEM_BYTES) {
      items.add(new Item(bytes.getLong(at), bytes.getLong(at + 8)));
    }
    return items;
  }

  void write(List<Item> items) {
    ByteBuffer bytes =
        ByteBuffer.allocate(items.size() * ITEM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    items.forEach(item -> bytes.putLong(item.sequence()).putLong(item.bytes()));
    try {
      file.write(bytes.flip());
    } catch (DiskFullException full) {
      var unused = read(); // the present content counts, and is written again in its place
      throw full;
    }
  }

  /**
   * Writes a shorter inventory. It needs no space, so if the disk reports that it is full, the
   * write is tried again. If there is no inventory yet, none is needed for removed files.
   */
  void shrink(List<Item> items) {
    for (int left = SHRINKS_TRIED; left > 0 && disk.exists(NAME); left--) {
      try {
        write(items);
        return;
      } catch (DiskFullException full) {
        if (left == 1) {
          throw full;
        }
      }
    }
  }
}
