{{/* The port of the first of some addresses that pods can be reached at; empty when there is none. */}}
{{- define "edge-extension-server.port" -}}
{{- $port := "" -}}
{{- range . -}}
{{- if and (not $port) (regexMatch "^(0\\.0\\.0\\.0|\\[::\\])?:[1-9][0-9]*$" .) -}}
{{- $port = regexReplaceAll "^.*:" . "" -}}
{{- end -}}
{{- end -}}
{{ $port }}
{{- end -}}

{{/* The Service of the hook, as callers name it and the replicas' certificate does. */}}
{{- define "edge-extension-server.hookName" -}}
{{ include "lifeline.fullname" . }}.{{ .Release.Namespace }}.svc
{{- end -}}

{{/* The app's configuration file: the values, with what follows from the release. */}}
{{- define "app.config" -}}
{{- $config := deepCopy .Values.config -}}
{{- $tls := $config.tls -}}
{{- $reports := $config.reports -}}
{{- $authority := "" -}}
{{- with .Values.certificates -}}
{{- if .server.secret -}}
{{- $authority = printf "/etc/lifeline/tls/server/%s" .server.authority -}}
{{- $_ := set $tls "certificate" (printf "/etc/lifeline/tls/server/%s" .server.certificate) -}}
{{- $_ := set $tls "key" (printf "/etc/lifeline/tls/server/%s" .server.key) -}}
{{- if not $tls.ca }}{{ $_ := set $tls "ca" $authority }}{{ end -}}
{{- end -}}
{{- if .clients.secret -}}
{{- $_ := set $tls "ca" (printf "/etc/lifeline/tls/clients/%s" .clients.authority) -}}
{{- end -}}
{{- end -}}
{{- if $config.withRetranslator -}}
{{- $name := default (include "edge-extension-server.hookName" .) $reports.serverName -}}
{{- $_ := set $tls "reportClients" (append $tls.reportClients $name | uniq) -}}
{{- $_ := set $reports "serverName" $name -}}
{{- $_ := set $reports "certificate" (default $tls.certificate $reports.certificate) -}}
{{- $_ := set $reports "key" (default $tls.key $reports.key) -}}
{{- $_ := set $reports "authority" (coalesce $reports.authority $authority $tls.ca) -}}
{{- if not (or $reports.service $config.kubeconfig) -}}
{{- $_ := set $reports "service" (printf "%s/%s-reports" .Release.Namespace (include "lifeline.fullname" .)) -}}
{{- end -}}
{{- end -}}
{{- range $key, $value := $config -}}
{{- if and (kindIs "map" $value) (not $value) }}{{ $_ := unset $config $key }}{{ end -}}
{{- end -}}
{{ toYaml $config }}
{{- end -}}

{{- define "app.edge" -}}
{{- $config := include "app.config" . | fromYaml -}}
{{- $retranslates := $config.withRetranslator -}}
{{ dict "kubeconfig" $config.kubeconfig "stampAnnotation" $config.stampAnnotation "reports" $config.reports "retranslates" $retranslates | toYaml }}
{{- end -}}

{{/* Callers hear of a new replica, and it of what the others answered, before an old one goes. */}}
{{- define "app.pod" -}}
usesToken: {{ not (empty (include "edge.isHere" .)) }}
minReadySeconds: 10
{{- /* Requests are large and live short, outside of the heap: V8 would grow the young generation, for what is hardly there, to 192 MiB. */}}
nodeOptions: --max-semi-space-size=16
ports:
  - name: hook
    containerPort: {{ include "edge-extension-server.port" .Values.config.hook.listen }}
  - name: report
    containerPort: {{ include "edge-extension-server.port" .Values.config.report.listen }}
  - name: metrics
    containerPort: {{ .Values.config.metricsPort }}
  - name: health
    containerPort: {{ .Values.config.healthPort }}
secrets:
  {{- with .Values.certificates.server.secret }}
  - name: tls
    secret: {{ . }}
    path: /etc/lifeline/tls/server
  {{- end }}
  {{- with .Values.certificates.clients.secret }}
  - name: clients
    secret: {{ . }}
    path: /etc/lifeline/tls/clients
  {{- end }}
{{- end -}}

{{- define "app.traffic" -}}
ingress:
  - ports:
      - port: hook
        protocol: TCP
    from:
      {{- toYaml .Values.networkPolicy.hookFrom | nindent 6 }}
  - ports:
      - port: report
        protocol: TCP
    from:
      - podSelector:
          matchLabels:
            {{- include "lifeline.selectorLabels" . | nindent 12 }}
      {{- with .Values.networkPolicy.reportFrom }}
      {{- toYaml . | nindent 6 }}
      {{- end }}
egress:
  - ports:
      - port: {{ include "edge-extension-server.port" .Values.config.report.listen }}
        protocol: TCP
    to:
      - podSelector:
          matchLabels:
            {{- include "lifeline.selectorLabels" . | nindent 12 }}
{{- end -}}

{{/* Those of the retranslator only where it runs: what its metrics say is not there else. */}}
{{- define "app.alerts" -}}
{{- $alerts := list -}}
{{- range .Files.Get "files/alerts.yaml" | fromYamlArray -}}
{{- if or $.Values.config.withRetranslator (ne .of "retranslator") -}}
{{- $alerts = append $alerts . -}}
{{- end -}}
{{- end -}}
{{ toYaml $alerts }}
{{- end -}}
