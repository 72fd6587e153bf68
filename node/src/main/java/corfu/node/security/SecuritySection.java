package corfu.node.security;

import com.fasterxml.jackson.databind.JsonNode;
import corfu.node.security.ClusterSecurity.KeyPairFiles;
import corfu.transport.tls.ClientCertificates;
import corfu.transport.tls.HostNameCheck;
import corfu.transport.tls.TlsEngine;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** The keys of a configuration file about TLS. */
public final class SecuritySection {

  /** The name of the section with the files. */
  public static final String SECTION = "certificates";

  private static final String WHERE = "[" + SECTION + "]";
  private static final Set<String> KEYS =
      Set.of(
          "server",
          "server-key",
          "authorities",
          "revocations",
          "clients",
          "trust-domain",
          "host-names",
          "engine",
          "command",
          "command-key");

  private SecuritySection() {}

  /**
   * Reads the keys.
   *
   * @param root the whole file
   * @param home the directory at which relative paths start
   * @throws IllegalArgumentException if a key or a value is wrong; the message is for people
   */
  public static ClusterSecurity read(JsonNode root, Path home) {
    JsonNode section = root.path(SECTION);
    allowOnlyKnown(section);
    TlsMode mode =
        root.path("tls").isMissingNode()
            ? TlsMode.OFF
            : choice(root, "tls", TlsMode.OFF, TlsMode.values());
    Optional<KeyPairFiles> servers = files(section, home, "server", "server-key", WHERE);
    Optional<KeyPairFiles> command = files(section, home, "command", "command-key", WHERE);
    List<Path> authorities = paths(section, home);
    Optional<Path> revocations = path(section, home, "revocations", WHERE);
    Optional<String> trustDomain = optional(section, "trust-domain", WHERE);
    boolean isInsecureListen = isInsecureListen(root);
    ClientCertificates clients =
        choice(section, "clients", ClientCertificates.REQUIRED, ClientCertificates.values());
    HostNameCheck hostNames =
        flag(section, "host-names", true) ? HostNameCheck.ON : HostNameCheck.OFF;
    TlsEngine engine = choice(section, "engine", TlsEngine.AUTOMATIC, TlsEngine.values());
    try {
      TlsOptions options =
          new TlsOptions(
              mode,
              servers.map(KeyPairFiles::certificate),
              servers.map(KeyPairFiles::key),
              authorities,
              revocations,
              clients,
              trustDomain,
              hostNames,
              engine);
      return new ClusterSecurity(options, command, isInsecureListen);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(WHERE + ": " + e.getMessage(), e);
    }
  }

  private static boolean isInsecureListen(JsonNode root) {
    JsonNode value = root.path("insecure-listen");
    if (value.isMissingNode()) {
      return false;
    }
    if (!ClusterSecurity.INSECURE_WORDS.equals(value.asText())) {
      throw new IllegalArgumentException(
          "insecure-listen lets servers without TLS listen beyond this machine; it takes these"
              + " words: insecure-listen = \""
              + ClusterSecurity.INSECURE_WORDS
              + "\"");
    }
    return true;
  }

  /**
   * Returns the files of a certificate and its key, or empty if the section names none.
   *
   * @param section a section of the file
   * @param home the directory at which relative paths start
   * @param certificate the key of the certificate's file
   * @param key the key of the private key's file; without it, one file has both
   * @param where the section's name for messages
   * @throws IllegalArgumentException if a value is wrong; the message is for people
   */
  public static Optional<KeyPairFiles> files(
      JsonNode section, Path home, String certificate, String key, String where) {
    Optional<Path> first = path(section, home, certificate, where);
    Optional<Path> second = path(section, home, key, where);
    if (first.isEmpty() && second.isPresent()) {
      throw new IllegalArgumentException(
          where + ": " + key + " needs the certificate of this key: " + certificate + " = \"...\"");
    }
    return first.map(one -> new KeyPairFiles(one, second.orElse(one)));
  }

  private static Optional<Path> path(JsonNode section, Path home, String key, String where) {
    return optional(section, key, where).map(home::resolve);
  }

  private static Optional<String> optional(JsonNode section, String key, String where) {
    JsonNode value = section.path(key);
    if (value.isMissingNode()) {
      return Optional.empty();
    }
    if (!value.isTextual() || value.asText().isBlank()) {
      throw new IllegalArgumentException(where + " needs " + key + " = \"...\"");
    }
    return Optional.of(value.asText());
  }

  private static List<Path> paths(JsonNode section, Path home) {
    JsonNode value = section.path("authorities");
    if (value.isTextual()) {
      return List.of(home.resolve(value.asText()));
    }
    List<Path> paths = new ArrayList<>();
    for (JsonNode each : value) {
      if (!each.isTextual()) {
        throw new IllegalArgumentException(WHERE + ": authorities is a list of files");
      }
      paths.add(home.resolve(each.asText()));
    }
    return paths;
  }

  private static <E extends Enum<E>> E choice(
      JsonNode section, String key, E otherwise, E[] values) {
    JsonNode value = section.path(key);
    if (value.isMissingNode()) {
      return otherwise;
    }
    for (E each : values) {
      if (value.isTextual() && text(each).equals(value.asText())) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "%s = \"%s\" is none of %s"
            .formatted(
                key,
                value.asText(),
                String.join(", ", Stream.of(values).map(SecuritySection::text).toList())));
  }

  private static String text(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT);
  }

  /** Writes the keys that stand before all sections. */
  public static void writeTop(ClusterSecurity security, StringBuilder toml) {
    if (security.servers().mode() != TlsMode.OFF) {
      line(toml, "tls", text(security.servers().mode()));
    }
    if (security.insecureListen()) {
      line(toml, "insecure-listen", ClusterSecurity.INSECURE_WORDS);
    }
  }

  /** Writes the section, unless it has nothing. */
  public static void write(ClusterSecurity security, StringBuilder toml) {
    TlsOptions options = security.servers();
    if (options.authorities().isEmpty() && options.certificate().isEmpty()) {
      return;
    }
    toml.append("\n").append(WHERE).append("\n");
    ClusterSecurity.files(options).ifPresent(own -> write(own, "server", "server-key", toml));
    List<String> authorities =
        options.authorities().stream()
            .map(file -> '"' + escaped(file.toAbsolutePath().toString()) + '"')
            .toList();
    toml.append("authorities = [").append(String.join(", ", authorities)).append("]\n");
    options
        .revocations()
        .ifPresent(file -> line(toml, "revocations", file.toAbsolutePath().toString()));
    line(toml, "clients", text(options.clients()));
    options.trustDomain().ifPresent(domain -> line(toml, "trust-domain", domain));
    toml.append("host-names = ").append(options.hostNames() == HostNameCheck.ON).append("\n");
    line(toml, "engine", text(options.engine()));
    security.command().ifPresent(own -> write(own, "command", "command-key", toml));
  }

  /** Writes the files of a certificate and its key. */
  public static void write(KeyPairFiles own, String certificate, String key, StringBuilder toml) {
    line(toml, certificate, own.certificate().toAbsolutePath().toString());
    if (!own.key().equals(own.certificate())) {
      line(toml, key, own.key().toAbsolutePath().toString());
    }
  }

  private static void line(StringBuilder toml, String key, String value) {
    toml.append(key).append(" = \"").append(escaped(value)).append("\"\n");
  }

  private static String escaped(String value) {
    return value.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  private static boolean flag(JsonNode section, String key, boolean otherwise) {
    JsonNode value = section.path(key);
    if (!value.isMissingNode() && !value.isBoolean()) {
      throw new IllegalArgumentException(key + " is true or false, without quotes");
    }
    return value.asBoolean(otherwise);
  }

  private static void allowOnlyKnown(JsonNode section) {
    for (var field : section.properties()) {
      if (!KEYS.contains(field.getKey())) {
        throw new IllegalArgumentException(
            "unknown key '%s' in %s; these are known: %s"
                .formatted(
                    field.getKey(), WHERE, String.join(", ", KEYS.stream().sorted().toList())));
      }
    }
  }
}
