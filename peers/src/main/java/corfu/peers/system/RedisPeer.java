package corfu.peers.system;

import corfu.node.local.JavaCommand;
import corfu.peers.load.RedisLoad;
import corfu.peers.program.AbsentException;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** Redis Streams: one server, because its replication is asynchronous. */
record RedisPeer(JavaCommand java) implements PeerSystem {

  @Override
  public String name() {
    return "redis";
  }

  @Override
  public String append() {
    return "XADD to one stream";
  }

  @Override
  public List<Replication> arrangements() {
    return List.of(
        new Replication(1, UnitMode.MEMORY),
        new Replication(1, UnitMode.BUFFERED),
        new Replication(1, UnitMode.DURABLE));
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Path server = workshop.packaged("redis-server", "redis-server");
    return Program.with(version(server), server);
  }

  /** Returns the version in a line such as "Redis server v=7.0.15 sha=...". */
  private static String version(Path server) throws AbsentException {
    try {
      Process process = new ProcessBuilder(server.toString(), "--version").start();
      String text =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
      return "Redis" + text.replaceFirst(".*v=(\\S+).*", " $1");
    } catch (IOException e) {
      throw new AbsentException("it does not tell its version: " + e.getMessage(), e);
    }
  }

  /** A running server and its port. */
  record Started(int port, Deployment deployment) {}

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    return start(program.server(), arrangement, site).deployment();
  }

  Started start(Path executable, Replication arrangement, PeerSite site) throws AbsentException {
    int port = site.freePort();
    String file =
        switch (arrangement.mode()) {
          case MEMORY -> "appendonly no";
          case BUFFERED -> "appendonly yes\nappendfsync no";
          case DURABLE -> "appendonly yes\nappendfsync always";
        };
    String text =
        """
        bind 127.0.0.1
        port %d
        dir %s
        save ""
        %s
        auto-aof-rewrite-percentage 0
        loglevel warning
        """
            .formatted(port, site.directory(), file);
    Path config = site.write("redis.conf", text);
    var server = site.start("redis", new ProcessBuilder(executable.toString(), config.toString()));
    site.awaitPort(server, port);
    return new Started(
        port,
        new Deployment(
            java.withMainClass(RedisLoad.class.getName()).with(String.valueOf(port)),
            List.of("redis.conf: " + Configurations.onOneLine(site.shown(text)))));
  }
}
