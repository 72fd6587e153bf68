package corfu.nbd;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The block devices that a server offers by name. Thread-safe. */
public interface Exports {

  /** Returns the names of all exports, sorted. */
  CompletableFuture<List<String>> names();

  /**
   * Opens an export for one connection.
   *
   * @param name the export's name; the empty name asks for the default export
   * @return the device; the future fails with {@link BlockDeviceException} if there is none
   */
  CompletableFuture<BlockDevice> open(String name);
}
