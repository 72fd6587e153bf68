package corfu.nbd.testing;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.ExportDescription;
import corfu.nbd.Exports;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** Devices by name. Thread-safe. */
public final class MemoryExports implements Exports {

  private final Map<String, Export> exports = new ConcurrentSkipListMap<>();

  private record Export(
      Supplier<ExportDescription> description, Supplier<BlockDevice> connection) {}

  /** Adds a device. */
  public MemoryExports with(String name, MemoryDevice device) {
    return with(name, new Export(device::description, device::connection));
  }

  /** Adds a device that all connections use as it is. */
  public MemoryExports with(String name, BlockDevice device) {
    return with(name, new Export(() -> device, () -> device));
  }

  private MemoryExports with(String name, Export export) {
    exports.put(name, export);
    return this;
  }

  @Override
  public CompletableFuture<List<String>> names() {
    return CompletableFuture.completedFuture(List.copyOf(exports.keySet()));
  }

  @Override
  public CompletableFuture<ExportDescription> describe(String name) {
    return find(name, export -> export.description().get());
  }

  @Override
  public CompletableFuture<BlockDevice> open(String name) {
    return find(name, export -> export.connection().get());
  }

  private <T> CompletableFuture<T> find(String name, Function<Export, T> then) {
    Export export = exports.get(name);
    return export == null
        ? CompletableFuture.failedFuture(
            new BlockDeviceException(Reason.UNKNOWN_EXPORT, "there is no export \"" + name + "\""))
        : CompletableFuture.completedFuture(then.apply(export));
  }
}
