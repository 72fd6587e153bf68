package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.peers.load.FakeLoad;
import corfu.peers.program.AbsentException;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import java.util.List;

/**
 * A system that only starts a waiting process, and whose load appends nowhere.
 *
 * @param failure the way in which it fails
 * @param pidFile the file in which its server writes its process id
 * @param loadFlags the arguments of its load
 */
public record FakePeer(String name, Failure failure, Path pidFile, List<String> loadFlags)
    implements PeerSystem {

  /** A failure. */
  public enum Failure {
    NONE,
    HAS_NO_PROGRAM,
    ENDS_AT_ONCE
  }

  @Override
  public String append() {
    return "nothing";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(new Replication(1, UnitMode.MEMORY), new Replication(2, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    if (failure == Failure.HAS_NO_PROGRAM) {
      throw new AbsentException("nobody sells it");
    }
    return Program.with("fake 1.0", pidFile);
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    String script = "echo $$ > '%s'; exec sleep 1000".formatted(pidFile);
    if (failure == Failure.ENDS_AT_ONCE) {
      script = "echo 'out of order'; exit 3";
    }
    var server = site.start("fake", new ProcessBuilder("/bin/sh", "-c", script));
    if (failure == Failure.ENDS_AT_ONCE) {
      site.awaitPort(server, site.freePort());
    }
    var java = JavaCommand.likeThisProcess(FakeLoad.class.getName());
    return new Deployment(
        java.with(loadFlags.toArray(String[]::new)), List.of("it is set to " + arrangement));
  }
}
