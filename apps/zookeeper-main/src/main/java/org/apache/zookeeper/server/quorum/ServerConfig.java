package org.apache.zookeeper.server.quorum;

import corfu.protocol.Endpoint;
import corfu.smr.Follow;
import corfu.transport.tls.TlsOptions;
import corfu.zookeeper.ListenOptions;
import corfu.zookeeper.SessionOptions;
import corfu.zookeeper.ZooKeeperOptions;
import java.io.IOException;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.zookeeper.server.quorum.QuorumPeerConfig.ConfigException;

/**
 * A {@code zoo.cfg} as the options of a translation server.
 *
 * @param options the options
 * @param dataDir the directory of the embedded cluster, if no cluster is named
 * @param servers the servers of the cluster, from {@code corfu.servers}
 * @param clusterDirectory the directory of a cluster on this machine, from {@code corfu.dir}
 * @param tls the TLS of the connections to {@code servers}, from {@code corfu.tls.ca}, {@code
 *     corfu.tls.cert}, {@code corfu.tls.key} and {@code corfu.tls.trust-domain}
 */
record ServerConfig(
    ZooKeeperOptions options,
    Path dataDir,
    List<Endpoint> servers,
    Optional<Path> clusterDirectory,
    TlsOptions tls) {

  private static final String PREFIX = "corfu.";

  /** Keys of ensembles, which mean nothing here. */
  private static final Pattern OF_ENSEMBLES =
      Pattern.compile(
          "(server|group|weight)\\.\\d+|peerType|dynamicConfigFile|standaloneEnabled"
              + "|reconfigEnabled");

  private static final String DEFAULT_ADMIN_PORT = "8080";

  /**
   * Reads a configuration.
   *
   * @throws ConfigException if ZooKeeper refuses it
   * @throws IllegalArgumentException if a value is wrong
   * @throws IOException if the file cannot be read
   */
  static ServerConfig read(Path file) throws IOException, ConfigException {
    Properties all = new Properties();
    try (Reader in = Files.newBufferedReader(file)) {
      all.load(in);
    }
    Properties zooKeeper = new Properties();
    all.stringPropertyNames().stream()
        .filter(key -> !key.startsWith(PREFIX) && !OF_ENSEMBLES.matcher(key).matches())
        .forEach(key -> zooKeeper.setProperty(key, all.getProperty(key).strip()));
    QuorumPeerConfig parsed = new QuorumPeerConfig();
    parsed.parseProperties(zooKeeper);
    return of(parsed, all::getProperty);
  }

  /**
   * Returns a configuration that ZooKeeper's class has read. That class keeps other keys in system
   * properties.
   *
   * @throws IllegalArgumentException if a value is wrong
   */
  static ServerConfig of(QuorumPeerConfig parsed) {
    return of(parsed, (key, otherwise) -> System.getProperty("zookeeper." + key, otherwise));
  }

  /** Looks up a key; returns the second argument if the key has no value. */
  @FunctionalInterface
  private interface Keys {
    String get(String key, String otherwise);
  }

  private static ServerConfig of(QuorumPeerConfig parsed, Keys keys) {
    InetSocketAddress clients = parsed.getClientPortAddress();
    if (clients == null) {
      throw new IllegalArgumentException("clientPort is not set");
    }
    var listen =
        new ListenOptions(
            clients,
            Optional.ofNullable(parsed.getSecureClientPortAddress()),
            adminPort(keys),
            keys.get("corfu.advertise", ""),
            parsed.getMaxClientCnxns());
    var sessions =
        new SessionOptions(
            parsed.getTickTime(),
            parsed.getMinSessionTimeout(),
            parsed.getMaxSessionTimeout(),
            parsed.areLocalSessionsEnabled());
    ZooKeeperOptions options =
        ZooKeeperOptions.DEFAULT
            .withNamespace(keys.get("corfu.namespace", ZooKeeperOptions.DEFAULT.namespace()))
            .withListen(listen)
            .withSessions(sessions)
            .withReplica(
                ZooKeeperOptions.DEFAULT
                    .replica()
                    .withFollow(follow(keys.get("corfu.poll", "1ms"))));
    List<Endpoint> servers =
        Stream.of(keys.get("corfu.servers", "").split(","))
            .map(String::strip)
            .filter(server -> !server.isEmpty())
            .map(Endpoint::parse)
            .toList();
    return new ServerConfig(
        options, parsed.getDataDir().toPath(), servers, path(keys, "corfu.dir"), tls(keys));
  }

  private static Optional<Path> path(Keys keys, String key) {
    return Optional.of(keys.get(key, "")).filter(text -> !text.isBlank()).map(Path::of);
  }

  /** Returns TLS that is required if authorities are named, or else none. */
  private static TlsOptions tls(Keys keys) {
    Optional<Path> certificate = path(keys, "corfu.tls.cert");
    Optional<Path> authorities = path(keys, "corfu.tls.ca");
    if (authorities.isEmpty()) {
      if (certificate.isPresent()) {
        throw new IllegalArgumentException(
            "corfu.tls.cert needs the trusted authorities: set corfu.tls.ca");
      }
      return TlsOptions.OFF;
    }
    TlsOptions files =
        certificate
            .map(
                own ->
                    TlsOptions.mutual(
                        own, path(keys, "corfu.tls.key").orElse(own), authorities.get()))
            .orElseGet(() -> TlsOptions.withoutCertificate(authorities.get()));
    String domain = keys.get("corfu.tls.trust-domain", "").strip();
    return domain.isEmpty() ? files : files.withTrustDomain(domain);
  }

  private static OptionalInt adminPort(Keys keys) {
    boolean isEnabled = !keys.get("admin.enableServer", "true").strip().equals("false");
    String port = keys.get("admin.serverPort", DEFAULT_ADMIN_PORT).strip();
    if (!port.matches("\\d{1,5}")) {
      throw new IllegalArgumentException(
          "admin.serverPort is a port's number, but not '%s'".formatted(port));
    }
    return isEnabled ? OptionalInt.of(Integer.parseInt(port)) : OptionalInt.empty();
  }

  private static Follow follow(String text) {
    String poll = text.strip();
    if (poll.equals("push")) {
      return Follow.push();
    }
    if (!poll.matches("\\d{1,9}ms")) {
      throw new IllegalArgumentException(
          "corfu.poll is a time such as 10ms, or push, but not '%s'".formatted(poll));
    }
    return Follow.poll(Duration.ofMillis(Long.parseLong(poll.substring(0, poll.length() - 2))));
  }
}
