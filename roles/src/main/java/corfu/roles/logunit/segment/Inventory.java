package corfu.roles.logunit.segment;

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
 * Which segment files there are and how much each must hold, so that a start notices when one is
 * missing or too short: the content of the {@link TwinFile} {@code inventory}. Little-endian.
 *
 * <pre>
 *   0                8                16
 *   +----------------+----------------+-- - -
 *   | sequence       | bytes          | the next file
 *   +----------------+----------------+-- - -
 * </pre>
 *
 * It is written when a file gets its name, before anything in it is acknowledged, and before one is
 * deleted. Files that it does not name may be there; those that it names are. {@code bytes} is 0
 * for the file that is being written. Where the inventory is lost, nothing is expected. To be used
 * by one thread at a time.
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
   * A file that must be there.
   *
   * @param bytes up to where records are, at least; 0: nobody has counted yet
   */
  public record Item(long sequence, long bytes) {}

  Inventory(Disk disk) {
    this.disk = disk;
    this.file = new TwinFile(disk, NAME, MAGIC, VERSION, MAX_BYTES);
  }

  /** What must be there; nothing where nobody knows. */
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
      var unused = read(); // what is there is what counts, and is written again in its place
      throw full;
    }
  }

  /**
   * The same, with less in it: that needs no space, and so a disk that says that it has none is
   * asked again. Where there is no inventory yet none is needed for what goes.
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
