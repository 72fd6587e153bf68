package corfu.silver.lock;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.Result;
import corfu.fuse.testing.FuseMachine;
import corfu.node.EmbeddedCluster;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.lock.internal.command.LockCodec;
import corfu.silver.lock.internal.command.LockCommand;
import corfu.silver.lock.internal.machine.LockMachine;
import corfu.silver.lock.internal.machine.SessionEvents;
import corfu.silver.mount.SilverMount;
import corfu.smr.StateMachineReplica;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A mount whose session of locks others have ended. */
class LostLockMountTest {

  private static final String FAILURE = "Input/output error";

  @TempDir private Path directory;

  private static <T> T valueOf(Result<T> result) {
    assertThat(result).isInstanceOf(Result.Success.class);
    return ((Result.Success<T>) result).value();
  }

  private static void endAllSessions(Corfu corfu, SilverFileSystem files) {
    try (var replica =
        StateMachineReplica.open(
            corfu,
            MountLocks.nameOf(files.root().stream()),
            () -> new LockMachine(SessionEvents.NONE),
            LockOptions.DEFAULT.replica())) {
      List<Long> sessions = replica.read(machine -> List.copyOf(machine.sessions().keySet()));
      assertThat(sessions).isNotEmpty();
      for (long session : sessions) {
        byte[] unused = replica.submit(LockCodec.encode(new LockCommand.End(session)));
      }
    }
  }

  private static FileChannel open(Path path) throws IOException {
    return FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static int read(FileChannel channel) throws IOException {
    return channel.read(ByteBuffer.allocate(10), 0);
  }

  @Test
  void aFileWhoseLocksAreLostFailsUntilItIsClosed() throws IOException {
    FuseMachine.require();
    try (RealWorld world = new RealWorld();
        EmbeddedCluster cluster = EmbeddedCluster.builder().start();
        Corfu corfu = cluster.connect();
        Corfu second = cluster.connect()) {
      Silver silver = Silver.over(corfu);
      SilverFileSystem files = valueOf(silver.create("files", silver.caller(0, 0)));
      Path root = Files.createDirectory(directory.resolve("mount"));
      try (SilverMount mount = SilverMount.mount(world, silver, files, "files", root)) {
        Path path = Files.writeString(mount.directory().resolve("file"), "0123456789");
        Path other = Files.writeString(mount.directory().resolve("other"), "0123456789");
        try (FileChannel locked = open(path);
            FileChannel unlocked = open(other)) {
          FileLock lock = locked.lock();
          assertThat(lock.isValid()).isTrue();
          assertThat(read(locked)).isEqualTo(10); // the kernel has the page

          endAllSessions(second, files);

          eventually(() -> assertThatThrownBy(() -> read(locked)).hasMessageContaining(FAILURE));
          assertThatThrownBy(() -> locked.write(ByteBuffer.allocate(1), 0))
              .hasMessageContaining(FAILURE);
          assertThatThrownBy(() -> locked.truncate(1)).hasMessageContaining(FAILURE);
          assertThat(read(unlocked)).isEqualTo(10);
          assertThat(unlocked.write(ByteBuffer.allocate(1), 0)).isEqualTo(1);
        }
        try (FileChannel again = open(path)) {
          assertThat(read(again)).isEqualTo(10);
          assertThat(again.lock().isValid()).isTrue();
          assertThat(again.write(ByteBuffer.allocate(1), 0)).isEqualTo(1);
        }
      }
    }
  }
}
