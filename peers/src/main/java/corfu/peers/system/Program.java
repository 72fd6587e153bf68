package corfu.peers.system;

/**
 * A system's software, as it was found or made here.
 *
 * @param version what it calls itself
 * @param where an executable, or a class path
 * @param load the class path of its load; empty where the load needs none
 */
public record Program(String version, String where, String load) {}
