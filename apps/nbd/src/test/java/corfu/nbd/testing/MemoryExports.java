package corfu.nbd.testing;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.Exports;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;

/** Devices by name. Thread-safe. */
public final class MemoryExports implements Exports {

  private final Map<String, Supplier<BlockDevice>> devices = new ConcurrentSkipListMap<>();

  /** Adds a device. */
  public MemoryExports with(String name, MemoryDevice device) {
    return with(name, device::connection);
  }

  /** Adds a source of devices, which is asked for each connection. */
  public MemoryExports with(String name, Supplier<BlockDevice> device) {
    devices.put(name, device);
    return this;
  }

  @Override
  public CompletableFuture<List<String>> names() {
    return CompletableFuture.completedFuture(List.copyOf(devices.keySet()));
  }

  @Override
  public CompletableFuture<BlockDevice> open(String name) {
    Supplier<BlockDevice> device = devices.get(name);
    return device == null
        ? CompletableFuture.failedFuture(
            new BlockDeviceException(Reason.UNKNOWN_EXPORT, "there is no export \"" + name + "\""))
        : CompletableFuture.completedFuture(device.get());
  }
}
