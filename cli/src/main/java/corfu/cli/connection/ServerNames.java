package corfu.cli.connection;

import corfu.node.local.LocalServer;
import corfu.protocol.Endpoint;
import corfu.protocol.message.NodeReply;
import corfu.runtime.ServerReport;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The names of servers. A server without a known name goes by its address. */
public record ServerNames(Map<Endpoint, String> names) {

  public ServerNames {
    names = Map.copyOf(names);
  }

  /** Returns the names from the configuration and from the servers' reports. */
  public static ServerNames of(List<LocalServer> local, List<ServerReport> reports) {
    Map<Endpoint, String> names = new LinkedHashMap<>();
    for (ServerReport report : reports) {
      report.status().map(NodeReply.Status::server).ifPresent(n -> names.put(report.endpoint(), n));
    }
    local.forEach(server -> names.put(server.endpoint(), server.name()));
    return new ServerNames(names);
  }

  /** Adds the names of silent servers, which other servers know. */
  public ServerNames completedBy(AdminClient admin, List<ServerReport> reports) {
    Map<Endpoint, String> all = new LinkedHashMap<>(names);
    for (ServerReport report : reports) {
      boolean isComplete = reports.stream().map(ServerReport::endpoint).allMatch(all::containsKey);
      if (!isComplete && report.status().isPresent()) {
        admin
            .namesToldBy(report.endpoint())
            .forEach(told -> all.putIfAbsent(told.server(), told.name()));
      }
    }
    return new ServerNames(all);
  }

  public String of(Endpoint server) {
    return names.getOrDefault(server, server.toString());
  }

  public String of(Collection<Endpoint> servers) {
    return servers.stream().map(this::of).collect(Collectors.joining(", "));
  }

  /** Returns the server of a name or an address, or empty if there is none. */
  public Optional<Endpoint> find(String text) {
    for (Map.Entry<Endpoint, String> named : names.entrySet()) {
      if (named.getValue().equals(text)) {
        return Optional.of(named.getKey());
      }
    }
    try {
      return Optional.of(Endpoint.parse(text));
    } catch (IllegalArgumentException noAddress) {
      return Optional.empty();
    }
  }

  public List<String> all() {
    return names.values().stream().sorted().toList();
  }
}
