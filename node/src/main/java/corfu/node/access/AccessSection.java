package corfu.node.access;

import com.fasterxml.jackson.databind.JsonNode;
import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** The section {@code [access]} of a configuration file. Stateless. */
public final class AccessSection {

  /** The section's name. */
  public static final String SECTION = "access";

  private static final Set<String> KEYS = Set.of("servers", "administrators");

  private AccessSection() {}

  /**
   * Reads the section.
   *
   * @param root the whole file
   * @return the trusted identities, or empty if there is no such section
   * @throws IllegalArgumentException if the section is wrong; the message names the key
   */
  public static Optional<TrustedIdentities> read(JsonNode root) {
    JsonNode section = root.path(SECTION);
    if (section.isMissingNode()) {
      return Optional.empty();
    }
    for (var field : section.properties()) {
      if (!KEYS.contains(field.getKey())) {
        throw new IllegalArgumentException(
            "unknown key '%s' in [access]; these are known: administrators, servers"
                .formatted(field.getKey()));
      }
    }
    return Optional.of(
        new TrustedIdentities(subjects(section, "servers"), subjects(section, "administrators")));
  }

  private static List<Subject> subjects(JsonNode section, String key) {
    JsonNode listed = section.path(key);
    if (!listed.isArray() || listed.isEmpty()) {
      throw new IllegalArgumentException(
          "[access] needs %s = [\"...\"], a list of identities such as spiffe://prod/%s/*"
              .formatted(key, key));
    }
    List<Subject> subjects = new ArrayList<>();
    for (JsonNode each : listed) {
      if (!each.isTextual()) {
        throw new IllegalArgumentException("[access]: %s is a list of texts".formatted(key));
      }
      try {
        subjects.add(Subject.parse(each.asText()));
      } catch (IllegalArgumentException wrong) {
        throw new IllegalArgumentException(
            "[access]: %s: '%s': %s".formatted(key, each.asText(), wrong.getMessage()), wrong);
      }
    }
    return subjects;
  }

  /** Writes the section as {@link #read} reads it. */
  public static void write(TrustedIdentities trusted, StringBuilder toml) {
    toml.append("\n[access]\n");
    write("servers", trusted.servers(), toml);
    write("administrators", trusted.administrators(), toml);
  }

  private static void write(String key, List<Subject> subjects, StringBuilder toml) {
    toml.append(key)
        .append(
            subjects.stream()
                .map(subject -> subject.text().replace("\\", "\\\\").replace("\"", "\\\""))
                .collect(Collectors.joining("\", \"", " = [\"", "\"]\n")));
  }
}
