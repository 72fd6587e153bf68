package corfu.zookeeper.server;

import java.io.InputStream;
import java.net.HttpURLConnection;
import java.util.List;
import java.util.Map;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.apache.zookeeper.server.admin.CommandBase;
import org.apache.zookeeper.server.admin.CommandResponse;
import org.apache.zookeeper.server.admin.Commands;

/** The commands of the AdminServer that have another answer here than in ZooKeeper. */
final class AdminCommands {

  static final String NO_SNAPSHOTS =
      "checkpoints are in the log: this server has no snapshots; use corfu zookeeper export or"
          + " import";

  /** A command about files of snapshots. */
  private static final class SnapshotFileCommand extends CommandBase {

    private SnapshotFileCommand(String name, String shortName) {
      super(List.of(name, shortName), false);
    }

    @Override
    public CommandResponse runGet(ZooKeeperServer server, Map<String, String> arguments) {
      return refusal();
    }

    @Override
    public CommandResponse runPost(ZooKeeperServer server, InputStream body) {
      return refusal();
    }

    private CommandResponse refusal() {
      return new CommandResponse(
          getPrimaryName(), NO_SNAPSHOTS, HttpURLConnection.HTTP_NOT_IMPLEMENTED);
    }
  }

  static {
    Commands.registerCommand(new SnapshotFileCommand("snapshot", "snap"));
    Commands.registerCommand(new SnapshotFileCommand("restore", "rest"));
    Commands.registerCommand(new SnapshotFileCommand("last_snapshot", "lsnp"));
  }

  private AdminCommands() {}

  /** Registers the commands in place of ZooKeeper's, for all servers of this process, once. */
  static void register() {}
}
