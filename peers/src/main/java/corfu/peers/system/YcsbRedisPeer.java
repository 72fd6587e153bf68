package corfu.peers.system;

import corfu.peers.program.AbsentException;
import corfu.peers.program.Jars;
import corfu.peers.program.Program;
import corfu.peers.program.ProgramCache;
import java.nio.file.Path;
import java.util.List;

/** Redis as a database of YCSB: the same server as for appends, with another load. */
record YcsbRedisPeer(RedisPeer redis) implements PeerSystem {

  private static final String LOAD = "ycsb-redis";

  @Override
  public String name() {
    return redis.name();
  }

  @Override
  public String append() {
    return "a hash a record, and a sorted set of their keys";
  }

  @Override
  public List<Replication> arrangements() {
    return redis.arrangements();
  }

  @Override
  public Program prepare(ProgramCache workshop) throws AbsentException {
    Program server = redis.prepare(workshop);
    Path jars = workshop.jars(LOAD);
    return new Program(
        "%s, Jedis %s".formatted(server.version(), Jars.version(jars, "jedis")),
        server.server(),
        jars,
        workshop.driver(LOAD).resolve("YcsbRedis.java"));
  }

  @Override
  public Deployment start(Program program, Replication arrangement, PeerSite site)
      throws AbsentException {
    RedisPeer.Started started = redis.start(program.server(), arrangement, site);
    return new Deployment(
        program.load(String.valueOf(started.port())), started.deployment().configuration());
  }
}
