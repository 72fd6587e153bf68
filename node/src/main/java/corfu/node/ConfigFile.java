package corfu.node;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.toml.TomlMapper;
import corfu.access.gate.TrustedIdentities;
import corfu.node.access.AccessSection;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.SecuritySection;
import corfu.objects.host.HostOptions;
import corfu.objects.host.HostTypes;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Limits;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The TOML form of a {@link ClusterConfig}. Every key is checked: a typing error must not become a
 * default.
 */
final class ConfigFile {

  private static final Set<String> TOP_KEYS =
      Set.of(
          "replicas",
          "stream-replicas",
          "leases",
          "lease",
          "agent",
          "suspicion",
          "trust",
          "log-unit",
          "views",
          "tls",
          "insecure-listen",
          SecuritySection.SECTION,
          AccessSection.SECTION,
          "server");
  private static final Set<String> UNIT_KEYS =
      Set.of("mode", "capacity", "segment", "max-entry", "max-streams", "scrub-bytes-per-second");
  private static final Set<String> VIEWS_KEYS = Set.of("memory", "objects", "classes", "jars");
  private static final Set<String> SERVER_KEYS =
      Set.of("name", "listen", "directory", "roles", "spare", "certificate", "key");

  private static final int SMALLEST_LOG_FILE_BYTES = 4 << 10;
  private static final int LARGEST_LOG_FILE_BYTES = 64 << 20;

  private ConfigFile() {}

  static ClusterConfig read(Path file) {
    try {
      JsonNode root = new TomlMapper().readTree(Files.readString(file));
      Path home = file.toAbsolutePath().getParent();
      return new Reader(home == null ? Path.of(".") : home).cluster(root);
    } catch (NoSuchFileException e) {
      throw new ConfigException("there is no configuration file " + file, e);
    } catch (JacksonException e) {
      throw new ConfigException(
          file + ", line " + e.getLocation().getLineNr() + ": not TOML: " + e.getOriginalMessage(),
          e);
    } catch (IOException e) {
      throw new ConfigException("cannot read " + file + ": " + e.getMessage(), e);
    } catch (ConfigException e) {
      throw new ConfigException(file + ": " + e.getMessage(), e);
    }
  }

  private record Reader(Path home) {

    ClusterConfig cluster(JsonNode root) {
      allowOnly(root, "the configuration", TOP_KEYS);
      JsonNode unit = root.path("log-unit");
      allowOnly(unit, "[log-unit]", UNIT_KEYS);
      JsonNode listed = root.path("server");
      if (!listed.isArray() || listed.isEmpty()) {
        throw new ConfigException("name at least one server, in a section [[server]]");
      }
      List<ServerConfig> servers = new ArrayList<>();
      for (JsonNode server : listed) {
        servers.add(server(server));
      }
      long capacity = size(unit, "capacity", ClusterConfig.UNLIMITED);
      long logFile = size(unit, "segment", ClusterConfig.DEFAULT_LOG_FILE_BYTES);
      if (logFile < SMALLEST_LOG_FILE_BYTES
          || logFile > LARGEST_LOG_FILE_BYTES
          || logFile % SMALLEST_LOG_FILE_BYTES != 0) {
        throw new ConfigException(
            "segment is from "
                + ByteSize.format(SMALLEST_LOG_FILE_BYTES)
                + " to "
                + ByteSize.format(LARGEST_LOG_FILE_BYTES)
                + ", in steps of the former");
      }
      long maxEntry = size(unit, "max-entry", Limits.DEFAULT.maxPayloadBytes());
      if (maxEntry < 1 || maxEntry > 1 << 30) {
        throw new ConfigException("max-entry is from 1 B to 1 GiB");
      }
      return new ClusterConfig(
          replicas(root),
          streamReplicas(root),
          servers,
          mode(unit),
          capacity,
          (int) logFile,
          Limits.ofPayload((int) maxEntry).withMaxStreamsPerEntry(streams(unit)),
          supervision(root),
          views(root.path("views")),
          scrub(unit),
          security(root),
          access(root));
    }

    private ClusterSecurity security(JsonNode root) {
      try {
        return SecuritySection.read(root, home);
      } catch (IllegalArgumentException e) {
        throw new ConfigException(String.valueOf(e.getMessage()), e);
      }
    }

    private Optional<ClusterSecurity.KeyPairFiles> certificate(JsonNode server, String where) {
      try {
        return SecuritySection.files(server, home, "certificate", "key", where);
      } catch (IllegalArgumentException e) {
        throw new ConfigException(String.valueOf(e.getMessage()), e);
      }
    }

    private static Optional<TrustedIdentities> access(JsonNode root) {
      try {
        return AccessSection.read(root);
      } catch (IllegalArgumentException e) {
        throw new ConfigException(String.valueOf(e.getMessage()), e);
      }
    }

    private static ScrubRate scrub(JsonNode unit) {
      ScrubRate usual = ScrubRate.DEFAULT;
      long rate = size(unit, "scrub-bytes-per-second", usual.bytesPerSecond());
      return new ScrubRate(rate, usual.shortestRound());
    }

    private HostOptions views(JsonNode views) {
      allowOnly(views, "[views]", VIEWS_KEYS);
      HostOptions usual = HostOptions.DEFAULT;
      JsonNode objects = views.path("objects");
      if (!objects.isMissingNode() && (!objects.isInt() || objects.intValue() < 1)) {
        throw new ConfigException("[views]: objects is a number from 1 on");
      }
      long memory = size(views, "memory", usual.bytesMax());
      if (memory < 1) {
        throw new ConfigException("[views]: memory is from 1 B on");
      }
      HostTypes types = usual.types().allowing(texts(views, "classes"));
      List<String> jars = texts(views, "jars");
      return usual
          .withRoom(memory, objects.asInt(usual.objectsMax()))
          .withTypes(jars.isEmpty() ? types : types.loadedBy(loaderOf(jars)));
    }

    private ClassLoader loaderOf(List<String> jars) {
      List<URL> urls = new ArrayList<>();
      for (String jar : jars) {
        Path file = home.resolve(jar);
        if (!Files.isReadable(file)) {
          throw new ConfigException("[views]: there is no jar " + file);
        }
        try {
          urls.add(file.toUri().toURL());
        } catch (MalformedURLException e) {
          throw new ConfigException("[views]: " + file + ": " + e.getMessage(), e);
        }
      }
      return new URLClassLoader(urls.toArray(URL[]::new), HostTypes.class.getClassLoader());
    }

    private static List<String> texts(JsonNode section, String key) {
      List<String> texts = new ArrayList<>();
      for (JsonNode each : section.path(key)) {
        if (!each.isTextual()) {
          throw new ConfigException("[views]: " + key + " is a list of texts");
        }
        texts.add(each.asText());
      }
      return texts;
    }

    private static Supervision supervision(JsonNode root) {
      Supervision usual = Supervision.DEFAULT;
      return new Supervision(
          flag(root, "leases", "the configuration", usual.leases()),
          time(root, "lease", usual.lease()),
          flag(root, "agent", "the configuration", usual.agent()),
          time(root, "suspicion", usual.suspicion()),
          time(root, "trust", usual.trust()));
    }

    private static boolean flag(JsonNode section, String key, String where, boolean otherwise) {
      JsonNode value = section.path(key);
      if (value.isMissingNode()) {
        return otherwise;
      }
      if (!value.isBoolean()) {
        throw new ConfigException(where + ": " + key + " is true or false, without quotes");
      }
      return value.booleanValue();
    }

    private static Duration time(JsonNode section, String key, Duration otherwise) {
      JsonNode value = section.path(key);
      return value.isMissingNode() ? otherwise : TimeSpan.parse(key, value.asText());
    }

    private static int replicas(JsonNode root) {
      JsonNode replicas = root.path("replicas");
      if (!replicas.isInt()) {
        throw new ConfigException("say how many copies of each entry there shall be: replicas = 2");
      }
      return replicas.intValue();
    }

    private static int streams(JsonNode unit) {
      JsonNode value = unit.path("max-streams");
      if (value.isMissingNode()) {
        return Limits.USUAL_STREAMS;
      }
      if (!value.isInt() || value.intValue() < 1 || value.intValue() > Entry.MOST_STREAMS) {
        throw new ConfigException("max-streams is a number from 1 to " + Entry.MOST_STREAMS);
      }
      return value.intValue();
    }

    private static int streamReplicas(JsonNode root) {
      JsonNode replicas = root.path("stream-replicas");
      if (!replicas.isMissingNode() && !replicas.isInt()) {
        throw new ConfigException(
            "say how many copies streams shall have on log units of their own, or leave it out:"
                + " stream-replicas = 1");
      }
      return replicas.asInt(0);
    }

    private static UnitMode mode(JsonNode unit) {
      if (unit.path("mode").isMissingNode()) {
        return UnitMode.DURABLE;
      }
      String text = text(unit, "mode", "[log-unit]");
      for (UnitMode mode : UnitMode.values()) {
        if (mode.text().equals(text)) {
          return mode;
        }
      }
      throw new ConfigException("mode = \"" + text + "\" is none of durable, buffered, memory");
    }

    private static long size(JsonNode section, String key, long otherwise) {
      JsonNode value = section.path(key);
      if (value.isMissingNode()) {
        return otherwise;
      }
      return ByteSize.parse(key, value.asText());
    }

    private ServerConfig server(JsonNode server) {
      allowOnly(server, "[[server]]", SERVER_KEYS);
      String name = text(server, "name", "[[server]]");
      String where = "server " + name;
      Endpoint listen;
      try {
        listen = Endpoint.parse(text(server, "listen", where));
      } catch (IllegalArgumentException e) {
        throw new ConfigException(where + ": " + e.getMessage(), e);
      }
      Path directory = home.resolve(text(server, "directory", where));
      Set<RoleKind> roles = roles(server.path("roles"), where);
      boolean spare = flag(server, "spare", where, false);
      return new ServerConfig(name, listen, directory, roles, spare)
          .withCertificate(certificate(server, where))
          .standingBy();
    }

    private static Set<RoleKind> roles(JsonNode listed, String where) {
      if (listed.isMissingNode()) {
        return EnumSet.complementOf(EnumSet.of(RoleKind.VIEWS));
      }
      Set<RoleKind> roles = EnumSet.noneOf(RoleKind.class);
      for (JsonNode role : listed) {
        roles.add(
            RoleKind.of(role.asText())
                .orElseThrow(
                    () ->
                        new ConfigException(
                            where
                                + ": '"
                                + role.asText()
                                + "' is none of the roles sequencer, layout-server, log-unit,"
                                + " views")));
      }
      if (roles.isEmpty()) {
        throw new ConfigException(
            where + ": give it roles, such as [\"layout-server\", \"log-unit\"]");
      }
      return roles;
    }

    private static String text(JsonNode section, String key, String where) {
      JsonNode value = section.path(key);
      if (!value.isTextual() || value.asText().isBlank()) {
        throw new ConfigException(where + " needs " + key + " = \"...\"");
      }
      return value.asText();
    }

    private static void allowOnly(JsonNode section, String where, Set<String> keys) {
      for (var field : section.properties()) {
        if (!keys.contains(field.getKey())) {
          throw new ConfigException(
              "unknown key '"
                  + field.getKey()
                  + "' in "
                  + where
                  + "; these are known: "
                  + String.join(", ", keys.stream().sorted().toList()));
        }
      }
    }
  }

  static String write(ClusterConfig config) {
    StringBuilder toml = new StringBuilder();
    toml.append(
        "# The same file on every machine. One server of it runs by: corfu server --config FILE"
            + " --name NAME\n");
    toml.append("replicas = ").append(config.replicas()).append("\n");
    if (config.streamReplicas() > 0) {
      toml.append("stream-replicas = ").append(config.streamReplicas()).append("\n");
    }
    Supervision supervision = config.supervision();
    toml.append("leases = ").append(supervision.leases()).append("\n");
    line(toml, "lease", TimeSpan.format(supervision.lease()));
    toml.append("agent = ").append(supervision.agent()).append("\n");
    line(toml, "suspicion", TimeSpan.format(supervision.suspicion()));
    line(toml, "trust", TimeSpan.format(supervision.trust()));
    SecuritySection.writeTop(config.security(), toml);
    toml.append("\n[log-unit]\n");
    line(toml, "mode", config.mode().text());
    if (config.capacityBytes() != ClusterConfig.UNLIMITED) {
      line(toml, "capacity", ByteSize.format(config.capacityBytes()));
    }
    line(toml, "segment", ByteSize.format(config.logFileBytes()));
    line(toml, "max-entry", ByteSize.format(config.limits().maxPayloadBytes()));
    toml.append("max-streams = ").append(config.limits().maxStreamsPerEntry()).append("\n");
    line(toml, "scrub-bytes-per-second", ByteSize.format(config.scrub().bytesPerSecond()));
    writeViews(config.views(), toml);
    SecuritySection.write(config.security(), toml);
    config.access().ifPresent(trusted -> AccessSection.write(trusted, toml));
    config.servers().forEach(server -> toml.append(write(server)));
    return toml.toString();
  }

  /**
   * Writes the views if they differ from the default. Types and jars that code has added have no
   * form in a file.
   */
  private static void writeViews(HostOptions views, StringBuilder toml) {
    HostOptions usual = HostOptions.DEFAULT;
    List<String> classes = views.types().allowed();
    if (views.bytesMax() == usual.bytesMax()
        && views.objectsMax() == usual.objectsMax()
        && classes.isEmpty()) {
      return;
    }
    toml.append("\n[views]\n");
    line(toml, "memory", ByteSize.format(views.bytesMax()));
    toml.append("objects = ").append(views.objectsMax()).append("\n");
    List<String> names = classes.stream().map(name -> '"' + name + '"').toList();
    toml.append("classes = [").append(String.join(", ", names)).append("]\n");
  }

  static String write(ServerConfig server) {
    StringBuilder toml = new StringBuilder();
    toml.append("\n[[server]]\n");
    line(toml, "name", server.name());
    line(toml, "listen", server.listen().toString());
    line(toml, "directory", server.directory().toAbsolutePath().toString());
    List<String> roles =
        server.roles().stream().sorted().map(role -> '"' + role.text() + '"').toList();
    toml.append("roles = [").append(String.join(", ", roles)).append("]\n");
    if (server.spare()) {
      toml.append("spare = true\n");
    }
    server.certificate().ifPresent(own -> SecuritySection.write(own, "certificate", "key", toml));
    return toml.toString();
  }

  private static void line(StringBuilder toml, String key, String value) {
    String escaped = value.replace("\\", "\\\\").replace("\"", "\\\"");
    toml.append(key).append(" = \"").append(escaped).append("\"\n");
  }
}
