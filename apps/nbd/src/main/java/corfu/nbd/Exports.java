package corfu.nbd;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The block devices that a server offers by name. Thread-safe. */
public interface Exports {

  /** Returns the names of all exports, sorted. */
  CompletableFuture<List<String>> names();

  /**
   * Describes an export without opening it: no other server of the device notices. A client that
   * opens the export next learns the same facts, unless the device has changed meanwhile.
   *
   * @param name the export's name; the empty name asks for the default export
   * @return the description, which holds nothing that has to be given back; the future fails with
   *     {@link BlockDeviceException} if there is no such export
   */
  CompletableFuture<ExportDescription> describe(String name);

  /**
   * Opens an export for one connection.
   *
   * @param name the export's name; the empty name asks for the default export
   * @return the device; the future fails with {@link BlockDeviceException} if there is none, or if
   *     this server may not serve it now
   */
  CompletableFuture<BlockDevice> open(String name);
}
