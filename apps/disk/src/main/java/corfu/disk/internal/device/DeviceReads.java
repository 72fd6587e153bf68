package corfu.disk.internal.device;

import corfu.bytes.VersionForgottenException;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Work of a device that may block, on threads of its own. Thread-safe. */
final class DeviceReads {

  /**
   * Tries of a read. Its entries may be overwritten and reclaimed while it is under way; then it
   * reads what has replaced them.
   */
  private static final int TRIES = 4;

  private final World world;
  private final String name;

  DeviceReads(World world, String name) {
    this.world = world;
    this.name = name;
  }

  /**
   * Reads a range of the newest content.
   *
   * @param whenGone runs before the last try to read entries that were reclaimed; may block
   */
  CompletableFuture<ByteBuffer> read(
      Supplier<Layers> newest, Runnable whenGone, long offset, int length) {
    Layers layers = newest.get();
    if (layers.isInMemory(offset, length)) {
      return CompletableFuture.completedFuture(layers.read(offset, length));
    }
    return ask("read", () -> read(layers, newest, whenGone, offset, length));
  }

  private static ByteBuffer read(
      Layers first, Supplier<Layers> newest, Runnable whenGone, long offset, int length) {
    Layers layers = first;
    for (int tries = 1; ; tries++) {
      try {
        return layers.read(offset, length);
      } catch (VersionForgottenException overwritten) {
        if (tries == TRIES) {
          throw overwritten;
        }
        if (tries == TRIES - 1) {
          whenGone.run();
        }
        layers = newest.get();
      }
    }
  }

  /** Runs a question on a thread of its own. */
  <T> CompletableFuture<T> ask(String what, Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    var unused =
        world.start(
            "disk-" + what,
            () -> {
              try {
                answer.complete(question.get());
              } catch (BlockDeviceException refused) {
                answer.completeExceptionally(refused);
              } catch (RuntimeException failure) {
                answer.completeExceptionally(
                    new BlockDeviceException(
                        Reason.IO_ERROR,
                        "cannot %s disk %s: %s".formatted(what, name, failure.getMessage()),
                        failure));
              }
            });
    return answer;
  }
}
